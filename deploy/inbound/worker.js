// Passes letters on to pbem, for a service that runs a script for each letter (an "email worker", as Cloudflare's).
// Its settings: INBOUND_URL, such as https://pbem.example.org/inbound, and INBOUND_SECRET.

export default {
  async email(message, env) {
    const answer = await fetch(env.INBOUND_URL, {
      method: "POST",
      headers: {
        "Authorization": `Bearer ${env.INBOUND_SECRET}`,
        "Content-Type": "message/rfc822",
        "Envelope-From": message.from,
        "Envelope-To": message.to,
      },
      body: await new Response(message.raw).arrayBuffer(),
    });
    if (answer.ok) return;
    const { reply } = await answer.json().catch(() => ({ reply: "" }));
    if (answer.status === 413 || answer.status === 422) {
      message.setReject(reply || "This letter is too large, or cannot be read."); // final: its sender is told
    } else {
      throw new Error(`${answer.status} ${reply}`); // the letter is kept, and tried again
    }
  },
};

// The names of time zones that the browser knows are offered while one is typed.

document.getElementById("zones")?.replaceChildren(...Intl.supportedValuesOf("timeZone").map((each) => new Option("", each)));

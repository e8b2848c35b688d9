"""What programs are told and may send, in JSON."""

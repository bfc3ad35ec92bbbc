// Exits with 0 if the process in this container answers. An unreachable database is no reason to replace it, so it is not
// asked whether it is ready.
const { FAREGATE_PORT: port = '8080' } = process.env;
const { ok } = await fetch(`http://127.0.0.1:${port}/livez`, { signal: AbortSignal.timeout(4_000) });
process.exitCode = ok ? 0 : 1;

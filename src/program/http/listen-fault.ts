/** The address can't be listened on. The message is one line with the remedy. */
export class ListenFault extends Error {
  override readonly name = 'ListenFault';
}

/** Converts the system's error for an address to a fault. */
export function listenFault(fault: NodeJS.ErrnoException, host: string, port: number): ListenFault {
  const at = `${host} port ${port}`;
  switch (fault.code) {
    case 'EADDRINUSE':
      return new ListenFault(`${at} is in use by another program; stop it, or choose another with --port`, {
        cause: fault,
      });
    case 'EACCES':
      return new ListenFault(`this user may not listen on ${at}; choose a port above 1023 with --port`, {
        cause: fault,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ListenFault(`${host} is not an address of this machine; choose another with --host`, { cause: fault });
    default:
      return new ListenFault(`${at} can't be listened on: ${fault.message}`, { cause: fault });
  }
}

/** The address can't be listened on; the message is one line and says what to do. */
export class ListenFault extends Error {
  override readonly name = 'ListenFault';
}

/** Describes a fault of an address by the system's error. */
export function listenFault(fault: NodeJS.ErrnoException, host: string, port: number): ListenFault {
  const at = `${host} port ${port}`;
  switch (fault.code) {
    case 'EADDRINUSE':
      return new ListenFault(`${at} is in use by another program; stop it, or choose another with --port`, {
        cause: fault,
      });
    case 'EACCES':
      return new ListenFault(`${at} is not for this user to listen on; choose a port above 1023 with --port`, {
        cause: fault,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ListenFault(`${host} is no address of this machine; choose another with --host`, { cause: fault });
    default:
      return new ListenFault(`${at} can't be listened on: ${fault.message}`, { cause: fault });
  }
}

/** A port nobody listens on, for `${free_port}`. */
import { createServer } from 'node:net';

/** Free at this moment; who needs it for sure lets the system choose. */
export function findFreePort(): Promise<number> {
  return new Promise((done, refused) => {
    const server = createServer();
    server.once('error', refused);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Connections to upload destinations: kept for the next file, apart from those that carry the account's token. */
export class UploadAgents {
  readonly #http = new HttpAgent({ keepAlive: true, maxFreeSockets: 8 });
  readonly #https = new HttpsAgent({ keepAlive: true, maxFreeSockets: 8 });

  for(url: URL): HttpAgent {
    return url.protocol === 'https:' ? this.#https : this.#http;
  }

  /** Ends connections that wait for their next file. */
  closeIdle(): void {
    for (const agent of [this.#http, this.#https]) {
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    }
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

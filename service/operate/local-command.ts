import type { IncomingMessage, ServerResponse } from 'node:http';
import { sameText } from '../secrets/signer.ts';

/** The input of a command is a name or an address. */
const MAX_BODY_BYTES = 4096;

/** Carries out a command on this computer. Returns the JSON of its answer; undefined when what it names does not exist. */
export type LocalCommand = (input: string) => Promise<object | undefined>;

/** Whether a request has the token that is in a private file of the data directory. */
export function isFromHere(request: IncomingMessage, token: string): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return sameText(given, token);
}

/** Answers a command with the JSON of its outcome: 401 without the token, 404 for something that does not exist, 413 for a long input. */
export async function answerCommand(
  command: LocalCommand,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const headers = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' };
  const send = (status: number, body: object) => void response.writeHead(status, headers).end(JSON.stringify(body));
  if (!isFromHere(request, token)) {
    request.resume();
    send(401, {});
    return;
  }
  let input = '';
  for await (const chunk of request.setEncoding('utf8')) {
    input += chunk;
    if (input.length > MAX_BODY_BYTES) {
      send(413, {});
      return;
    }
  }
  const answer = await command(input);
  send(answer === undefined ? 404 : 200, answer ?? {});
}

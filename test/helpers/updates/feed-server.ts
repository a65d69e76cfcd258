// A server for updates on this computer, with keys and feeds of its own.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Feed, type FeedFile, feedName, signedText, writeFeed } from '../../../shared/model/updates/feed-text.ts';

export interface FeedKeys {
  /** As the app gets it: SPKI in DER, Base64. */
  publicKey: string;
  privateKey: KeyObject;
}

/** Makes keys for a test. */
export function makeFeedKeys(): FeedKeys {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'), privateKey };
}

/** Returns the facts about a file as a feed has them. */
export function feedFile(url: string, content: Uint8Array): FeedFile {
  return { url, sha512: createHash('sha512').update(content).digest('base64'), size: content.length };
}

/** A feed that an app of version 0.1.0 on Linux accepts, with changes. */
export function makeFeed(changes: Partial<Feed> = {}): Feed {
  return {
    version: '0.2.0',
    channel: 'latest',
    platform: 'linux',
    arch: 'x64',
    files: [feedFile('Mediadesk-x86_64.AppImage', Buffer.from('the new version'))],
    releaseDate: new Date().toISOString(),
    minimumVersion: null,
    blocked: [],
    stagingPercentage: 100,
    releaseNotes: '',
    ...changes,
  };
}

/** Returns the signature of a feed, in Base64. */
export function signatureOf(feed: Feed, { privateKey }: Pick<FeedKeys, 'privateKey'>): string {
  return sign(null, Buffer.from(signedText(feed)), privateKey).toString('base64');
}

/** Returns the signed file of a feed. */
export function signedFeed(feed: Feed, keys: Pick<FeedKeys, 'privateKey'>): string {
  return writeFeed(feed, signatureOf(feed, keys));
}

type Answer = string | Uint8Array | ((request: IncomingMessage, response: ServerResponse) => void);

export interface FeedServer {
  /** The folder, with a slash at its end. */
  url: string;
  keys: FeedKeys;
  /** The paths that were asked for, without what follows `?`. */
  asked: string[];
  /** Answers a name in the folder from now on. */
  put(name: string, answer: Answer): void;
  /** Puts the text of a feed for Linux. */
  putFeed(text: Answer): void;
  /** Ends all connections, also those in the middle of an answer. */
  cut(): void;
  close(): Promise<void>;
}

/** Starts a server that has nothing yet. */
export async function startFeedServer(): Promise<FeedServer> {
  const answers = new Map<string, Answer>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    asked.push(path);
    const answer = answers.get(path.slice('/updates/'.length));
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'function') answer(request, response);
    else response.end(answer);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const put = (name: string, answer: Answer) => void answers.set(name, answer);
  return {
    url: `http://127.0.0.1:${port}/updates/`,
    keys: makeFeedKeys(),
    asked,
    put,
    putFeed: (text) => put(feedName('linux', 'x64'), text),
    cut: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

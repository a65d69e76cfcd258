import { appError } from '../../../../shared/contract/app-error.ts';
import type { ContentRef } from '../../../../shared/contract/content-address.ts';
import type { CallOutput, EventData, HandledInput } from '../../../../shared/contract/contract.ts';
import type { BulkChange } from '../../../../shared/contract/edits.ts';
import type { Accounts } from '../../account/accounts.ts';
import { contentLocation, getFile } from '../../api/files.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LibraryEdits } from '../edit-port.ts';
import { type ShownContent, showContent } from './shown-content.ts';

type ContentHandlers = {
  [N in 'files.check' | 'files.webAddress' | 'files.delete' | 'files.embed']: (
    input: HandledInput<N>,
  ) => Promise<CallOutput<N>>;
};

/** The part that plays and shows the stored files of items, and the calls that delete a file or add a link to the web. */
export interface ItemContents {
  handlers: ContentHandlers;
  /** Opens a file for the window, see `showContent`. A sign-out ends it. */
  content(ref: ContentRef, rangeHeader: string | null, signal: AbortSignal): Promise<ShownContent>;
  stop(): void;
}

export interface ContentOptions {
  accounts: Pick<Accounts, 'clientFor' | 'onDidChangeSites'>;
  clock: Clock;
  userAgent: string;
  /** How long a signed address of a file is valid, in seconds. */
  ttlSeconds: number;
  edits(): Pick<LibraryEdits, 'editItem'>;
  /** Called after a change of an item's files. */
  onChanged(change: EventData<'onDidChangeLibrary'>): void;
}

/** The usual lifetime of a signed address, which is used immediately and for one connection. */
export const TTL_SECONDS = 300;
/** The sources of files whose bytes the library stores. */
const STORED: ReadonlySet<string | null> = new Set(['upload', 'encoding']);

export function createContentCalls(options: ContentOptions): ItemContents {
  const { accounts, clock, userAgent, ttlSeconds, onChanged, edits } = options;
  const clientFor = (siteId: string) => accounts.clientFor(siteId);
  const tools = { clock, userAgent, ttlSeconds, clientFor };
  const open = new Map<AbortController, string>();

  const content: ItemContents['content'] = async (ref, rangeHeader, signal) => {
    const controller = new AbortController();
    const abort = () => controller.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    open.set(controller, ref.siteId);
    const end = () => {
      open.delete(controller);
      signal.removeEventListener('abort', abort);
    };
    try {
      const shown = await showContent(ref, rangeHeader, controller.signal, tools);
      return { ...shown, body: endingWith(shown.body, end), close: () => shown.close().finally(end) };
    } catch (error) {
      end();
      throw error;
    }
  };

  async function changing(siteId: string, mediaId: string, files: NonNullable<BulkChange['files']>) {
    try {
      const { kind, reason } = await edits().editItem(siteId, mediaId, { files });
      return { isPending: kind === 'pending', reason };
    } finally {
      onChanged({ siteId, collectionId: null, mediaId });
    }
  }

  const endSites = accounts.onDidChangeSites((sites) => {
    const signedIn = new Set(sites.filter(({ state }) => state !== 'signed-out').map(({ id }) => id));
    for (const [controller, siteId] of open) {
      if (!signedIn.has(siteId)) controller.abort(appError('sign-in.required'));
    }
  });

  return {
    content,
    handlers: {
      async 'files.check'({ kind, ...file }) {
        const shown = await content({ kind, ...file }, null, new AbortController().signal);
        await shown.close();
        return null;
      },

      async 'files.webAddress'({ siteId, mediaId, fileId }) {
        const client = clientFor(siteId);
        const file = await getFile(client, mediaId, fileId);
        if (STORED.has(file.source)) {
          throw appError('input.invalid', { message: 'This file is stored in the library and has no web address.' });
        }
        return { url: await contentLocation(client, mediaId, fileId, ttlSeconds) };
      },

      'files.delete': ({ siteId, mediaId, fileId, name = fileId }) =>
        changing(siteId, mediaId, { delete: [{ id: fileId, name }], embed: null }),

      'files.embed': ({ siteId, mediaId, url, name, replaces }) =>
        changing(siteId, mediaId, { embed: { url, name }, delete: replaces === null ? [] : [replaces] }),
    },

    stop() {
      endSites();
      for (const controller of open.keys()) controller.abort(new Error('the engine stops'));
      open.clear();
    },
  };
}

async function* endingWith(bytes: AsyncGenerator<Uint8Array>, end: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } finally {
    end();
  }
}

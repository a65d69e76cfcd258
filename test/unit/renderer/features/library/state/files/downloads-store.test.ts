import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../../../../renderer/features/common/state/messages-store.ts';
import {
  startDownload,
  takeDownloads,
  useDownloads,
} from '../../../../../../../renderer/features/library/state/files/downloads-store.ts';
import { appError } from '../../../../../../../shared/contract/app-error.ts';
import type { Download } from '../../../../../../../shared/contract/downloads.ts';
import { HeldBridge } from '../../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ announced: null, messages: [] });
  useDownloads.setState({ downloads: [] });
});

function download(id: string, state: Download['state']): Download {
  const error = state === 'failed' ? appError('network.unreachable').toData() : null;
  return {
    id,
    siteId: 's',
    mediaId: 'm',
    title: 'Talk',
    fileId: id,
    name: `${id}.mp4`,
    doneBytes: 0,
    totalBytes: 1,
    path: state === 'complete' ? `/downloads/${id}.mp4` : null,
    state,
    isVerified: false,
    error,
  };
}

async function start(ids: readonly string[]): Promise<void> {
  const started = startDownload(
    's',
    ids.map((fileId) => ({ mediaId: 'm', fileId })),
  );
  await bridge.take('shell.chooseFolder').answer({ path: '/downloads' });
  await bridge.take('downloads.start').answer({ downloads: ids.map((id) => download(id, 'queued')) });
  await started;
}

const sentences = () => useMessages.getState().messages.map(({ text }) => text);

describe('downloads that were started in this window', () => {
  it('are reported once, when all have ended, with a button that shows them in their folder', async () => {
    await start(['a', 'b']);
    takeDownloads([download('a', 'complete'), download('b', 'running')]);
    expect(sentences()).toEqual([]);
    takeDownloads([download('a', 'complete'), download('b', 'complete')]);
    takeDownloads([download('a', 'complete'), download('b', 'complete')]);
    expect(sentences()).toEqual(['Downloaded 2 files.']);
    useMessages.getState().messages[0]?.action?.run();
    expect(bridge.take('shell.showInFolder').input).toEqual({ path: '/downloads/a.mp4' });
  });

  it('are counted when some failed, and wait for paused ones', async () => {
    await start(['a', 'b', 'c']);
    takeDownloads([download('a', 'complete'), download('b', 'failed'), download('c', 'paused')]);
    expect(sentences()).toEqual([expect.stringContaining('“b.mp4” wasn’t downloaded')]);
    takeDownloads([download('a', 'complete'), download('b', 'failed'), download('c', 'complete')]);
    expect(sentences().at(-1)).toBe('Downloaded 2 of 3 files.');
  });

  it('are reported when they ended before their list was answered, and not when none was stored', async () => {
    takeDownloads([download('a', 'complete')]);
    await start(['a']);
    expect(sentences()).toEqual(['“a.mp4” was downloaded.']);
    await start(['x']);
    takeDownloads([download('x', 'cancelled')]);
    expect(sentences()).toHaveLength(1);
  });

  it('that fail for one reason are named once and counted at the end', async () => {
    await start(['a', 'b', 'c', 'd']);
    takeDownloads([
      download('a', 'failed'),
      download('b', 'failed'),
      download('c', 'running'),
      download('d', 'running'),
    ]);
    takeDownloads([
      download('a', 'failed'),
      download('b', 'failed'),
      download('c', 'failed'),
      download('d', 'running'),
    ]);
    expect(sentences()).toEqual([expect.stringContaining('“a.mp4” wasn’t downloaded')]);
    takeDownloads([
      download('a', 'failed'),
      download('b', 'failed'),
      download('c', 'failed'),
      download('d', 'complete'),
    ]);
    expect(sentences().slice(1)).toEqual(['3 of 4 files weren’t downloaded.', 'Downloaded 1 of 4 files.']);
  });

  it('are reported when they are complete after the user resumed them', async () => {
    await start(['a']);
    takeDownloads([download('a', 'failed')]);
    takeDownloads([download('a', 'running')]);
    takeDownloads([download('a', 'complete')]);
    expect(sentences().at(-1)).toBe('“a.mp4” was downloaded.');
    takeDownloads([download('a', 'complete')]);
    expect(sentences()).toHaveLength(2);
  });
});

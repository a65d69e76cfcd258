import { createPreviewBridge, type PreviewOptions } from './bridge-preview.ts';

// The screens with a library in memory: ?scene=signed-in&items=100000&uploads=400&fails&moves&notices&no-keychain
const query = new URLSearchParams(location.search);
const scene = query.get('scene');
const options: PreviewOptions = {
  scene: scene === 'signed-out' || scene === 'needs-sign-in' ? scene : 'signed-in',
  items: Number(query.get('items') ?? 60),
  uploads: Number(query.get('uploads') ?? 0),
  fails: query.has('fails'),
  notices: query.has('notices'),
  keychain: !query.has('no-keychain'),
  moves: query.has('moves'),
};
Object.assign(window, { mediadesk: createPreviewBridge(options) });
await import('../../../renderer/main.tsx');

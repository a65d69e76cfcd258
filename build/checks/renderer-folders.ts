// The allowed imports between the folders of the renderer. docs/architecture.md describes the folders.
import type { PartRules } from './folder-rule.ts';

const KIT = {
  bridge: 'renderer/kit/bridge',
  text: 'renderer/kit/text',
  async: 'renderer/kit/async',
  lists: 'renderer/kit/lists',
  components: 'renderer/kit/components',
};

/** The state of a feature, which other features may read. Screens of a feature are used only by the shell. */
const STATE = {
  common: 'renderer/features/common/state',
  edits: 'renderer/features/edits/state',
  library: 'renderer/features/library/state',
  uploads: 'renderer/features/uploads/state',
  receipts: 'renderer/features/receipts/state',
  watched: 'renderer/features/watched/state',
  settings: 'renderer/features/settings/state',
};

const COMMON = 'renderer/features/common';

/** What each state imports from. */
const STATE_BASE = [KIT.bridge, KIT.text, KIT.async, STATE.common];

/** What the screens of each feature import from. */
const SCREEN_BASE = [KIT.text, KIT.components, STATE.common];

export const RENDERER_FOLDERS: PartRules = {
  part: 'renderer',
  folders: [
    { folder: KIT.bridge, mayImport: [] },
    { folder: KIT.text, mayImport: [KIT.bridge] },
    { folder: KIT.async, mayImport: [] },
    { folder: KIT.lists, mayImport: [KIT.text] },
    { folder: KIT.components, mayImport: [KIT.bridge, KIT.text, KIT.lists] },
    { folder: STATE.common, mayImport: [KIT.bridge, KIT.text, KIT.async] },
    { folder: STATE.edits, mayImport: [...STATE_BASE, KIT.lists] },
    { folder: STATE.library, mayImport: [...STATE_BASE, KIT.lists, STATE.edits] },
    { folder: STATE.uploads, mayImport: [...STATE_BASE, KIT.lists] },
    { folder: STATE.receipts, mayImport: [...STATE_BASE, KIT.lists] },
    { folder: STATE.watched, mayImport: [...STATE_BASE, KIT.lists, STATE.library] },
    { folder: STATE.settings, mayImport: STATE_BASE },
    {
      folder: COMMON,
      mayImport: [...SCREEN_BASE, KIT.bridge, KIT.async, STATE.library, STATE.uploads, STATE.watched],
    },
    { folder: 'renderer/features/edits', mayImport: [...SCREEN_BASE, COMMON, STATE.edits] },
    {
      folder: 'renderer/features/library',
      mayImport: [...SCREEN_BASE, KIT.bridge, KIT.async, COMMON, STATE.library, STATE.edits, STATE.uploads],
    },
    {
      folder: 'renderer/features/uploads',
      mayImport: [...SCREEN_BASE, KIT.bridge, KIT.lists, COMMON, STATE.uploads, STATE.receipts],
    },
    {
      folder: 'renderer/features/receipts',
      mayImport: [...SCREEN_BASE, KIT.lists, COMMON, STATE.receipts, STATE.uploads],
    },
    {
      folder: 'renderer/features/watched',
      mayImport: [...SCREEN_BASE, KIT.bridge, KIT.lists, COMMON, STATE.watched, STATE.uploads],
    },
    {
      folder: 'renderer/features/settings',
      mayImport: [...SCREEN_BASE, KIT.bridge, COMMON, STATE.settings, STATE.uploads],
    },
    { folder: 'renderer/features/sign-in', mayImport: [...SCREEN_BASE, KIT.bridge] },
    {
      folder: 'renderer/shell',
      mayImport: [
        ...SCREEN_BASE,
        KIT.bridge,
        COMMON,
        STATE.edits,
        STATE.library,
        STATE.uploads,
        STATE.watched,
        STATE.settings,
        'renderer/features/edits',
        'renderer/features/library',
        'renderer/features/uploads',
        'renderer/features/receipts',
        'renderer/features/watched',
        'renderer/features/settings',
        'renderer/features/sign-in',
      ],
    },
  ],
};

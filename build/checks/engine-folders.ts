// Which folder of the engine may import from which.
import type { PartRules } from './folder-rule.ts';

/** What the folders that command and report the queue build on. */
const QUEUE_BASE = [
  'electron/engine/common',
  'electron/engine/ports',
  'electron/engine/store',
  'electron/engine/scheduler',
  'electron/engine/sites',
  'electron/engine/uploads/journal',
];

export const ENGINE_FOLDERS: PartRules = {
  part: 'electron/engine',
  folders: [
    { folder: 'electron/engine/common', mayImport: [] },
    { folder: 'electron/engine/ports', mayImport: [] },
    { folder: 'electron/engine/api', mayImport: ['electron/engine/ports'] },
    {
      folder: 'electron/engine/account',
      mayImport: ['electron/engine/common', 'electron/engine/ports', 'electron/engine/api'],
    },
    { folder: 'electron/engine/store', mayImport: ['electron/engine/ports', 'electron/engine/account'] },
    {
      folder: 'electron/engine/scheduler',
      mayImport: ['electron/engine/common', 'electron/engine/ports', 'electron/engine/store'],
    },
    {
      folder: 'electron/engine/sites',
      mayImport: [
        'electron/engine/common',
        'electron/engine/ports',
        'electron/engine/api',
        'electron/engine/scheduler',
      ],
    },
    {
      folder: 'electron/engine/library',
      mayImport: ['electron/engine/common', 'electron/engine/ports', 'electron/engine/api', 'electron/engine/account'],
    },
    { folder: 'electron/engine/watch/readiness', mayImport: ['electron/engine/ports'] },
    {
      folder: 'electron/engine/uploads/delivery/sender',
      mayImport: ['electron/engine/common', 'electron/engine/ports', 'electron/engine/api'],
    },
    {
      folder: 'electron/engine/uploads/journal',
      mayImport: ['electron/engine/common', 'electron/engine/ports', 'electron/engine/store'],
    },
    {
      folder: 'electron/engine/uploads/adding',
      mayImport: ['electron/engine/ports', 'electron/engine/uploads/journal'],
    },
    {
      folder: 'electron/engine/uploads/delivery/items',
      mayImport: [
        'electron/engine/ports',
        'electron/engine/api',
        'electron/engine/scheduler',
        'electron/engine/uploads/journal',
      ],
    },
    {
      folder: 'electron/engine/uploads/duplicates',
      mayImport: [
        'electron/engine/ports',
        'electron/engine/api',
        'electron/engine/store',
        'electron/engine/scheduler',
        'electron/engine/uploads/journal',
      ],
    },
    {
      folder: 'electron/engine/uploads/local-files',
      mayImport: [
        'electron/engine/common',
        'electron/engine/ports',
        'electron/engine/scheduler',
        'electron/engine/uploads/journal',
        'electron/engine/uploads/duplicates',
      ],
    },
    {
      folder: 'electron/engine/uploads/delivery',
      mayImport: [
        'electron/engine/ports',
        'electron/engine/api',
        'electron/engine/store',
        'electron/engine/scheduler',
        'electron/engine/sites',
        'electron/engine/library',
        'electron/engine/uploads/delivery/sender',
        'electron/engine/uploads/journal',
        'electron/engine/uploads/delivery/items',
        'electron/engine/uploads/duplicates',
        'electron/engine/uploads/local-files',
      ],
    },
    {
      folder: 'electron/engine/doctor',
      mayImport: [
        'electron/engine/common',
        'electron/engine/ports',
        'electron/engine/api',
        'electron/engine/store',
        'electron/engine/uploads/delivery/items',
        'electron/engine/uploads/delivery',
      ],
    },
    {
      folder: 'electron/engine/uploads/follow-ups',
      mayImport: [
        'electron/engine/ports',
        'electron/engine/api',
        'electron/engine/store',
        'electron/engine/scheduler',
        'electron/engine/sites',
        'electron/engine/uploads/delivery/sender',
        'electron/engine/uploads/journal',
        'electron/engine/uploads/local-files',
        'electron/engine/uploads/delivery',
      ],
    },
    {
      folder: 'electron/engine/uploads/pacing',
      mayImport: [
        'electron/engine/ports',
        'electron/engine/uploads/delivery/sender',
        'electron/engine/uploads/journal',
        'electron/engine/uploads/delivery',
      ],
    },
    {
      folder: 'electron/engine/uploads/processing',
      mayImport: [
        'electron/engine/common',
        'electron/engine/ports',
        'electron/engine/api',
        'electron/engine/scheduler',
        'electron/engine/sites',
        'electron/engine/uploads/journal',
        'electron/engine/uploads/delivery',
      ],
    },
    {
      folder: 'electron/engine/uploads/reports',
      mayImport: [
        ...QUEUE_BASE,
        'electron/engine/uploads/delivery',
        'electron/engine/uploads/pacing',
        'electron/engine/uploads/processing',
      ],
    },
    {
      folder: 'electron/engine/uploads/queue',
      mayImport: [
        ...QUEUE_BASE,
        'electron/engine/uploads/delivery/items',
        'electron/engine/uploads/local-files',
        'electron/engine/uploads/delivery',
        'electron/engine/uploads/follow-ups',
        'electron/engine/uploads/pacing',
        'electron/engine/uploads/processing',
        'electron/engine/uploads/reports',
      ],
    },
    {
      folder: 'electron/engine/uploads',
      mayImport: [
        'electron/engine/common',
        'electron/engine/ports',
        'electron/engine/api',
        'electron/engine/store',
        'electron/engine/sites',
        'electron/engine/uploads/delivery/sender',
        'electron/engine/uploads/journal',
        'electron/engine/uploads/adding',
        'electron/engine/uploads/delivery/items',
        'electron/engine/uploads/duplicates',
        'electron/engine/uploads/local-files',
        'electron/engine/uploads/delivery',
        'electron/engine/uploads/pacing',
        'electron/engine/uploads/reports',
        'electron/engine/uploads/queue',
      ],
    },
    { folder: 'electron/engine/watch/rows', mayImport: ['electron/engine/ports', 'electron/engine/store'] },
    {
      folder: 'electron/engine/watch/identity',
      mayImport: ['electron/engine/ports', 'electron/engine/watch/rows'],
    },
    {
      folder: 'electron/engine/watch/detection',
      mayImport: [
        'electron/engine/ports',
        'electron/engine/scheduler',
        'electron/engine/watch/readiness',
        'electron/engine/watch/rows',
        'electron/engine/watch/identity',
      ],
    },
    {
      folder: 'electron/engine/watch/intake',
      mayImport: [
        'electron/engine/ports',
        'electron/engine/uploads/journal',
        'electron/engine/uploads/adding',
        'electron/engine/watch/rows',
        'electron/engine/watch/identity',
      ],
    },
    {
      folder: 'electron/engine/watch/settling',
      mayImport: [
        'electron/engine/ports',
        'electron/engine/scheduler',
        'electron/engine/uploads/duplicates',
        'electron/engine/watch/readiness',
        'electron/engine/watch/rows',
        'electron/engine/watch/identity',
        'electron/engine/watch/detection',
        'electron/engine/watch/intake',
      ],
    },
    {
      folder: 'electron/engine/watch',
      mayImport: [
        'electron/engine/common',
        'electron/engine/ports',
        'electron/engine/store',
        'electron/engine/scheduler',
        'electron/engine/uploads/journal',
        'electron/engine/uploads/duplicates',
        'electron/engine/uploads/queue',
        'electron/engine/uploads',
        'electron/engine/watch/readiness',
        'electron/engine/watch/rows',
        'electron/engine/watch/identity',
        'electron/engine/watch/detection',
        'electron/engine/watch/intake',
        'electron/engine/watch/settling',
      ],
    },
  ],
};

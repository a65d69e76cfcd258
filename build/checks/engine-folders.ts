// Which folder of the engine may import from which.
import { partRules } from './folder-rule.ts';

/** The folders that the commands and the reports of the queue import from. */
const QUEUE_BASE = 'common ports store scheduler sites uploads/journal';

export const ENGINE_FOLDERS = partRules({
  part: 'electron/engine',
  folders: {
    common: '',
    ports: '',
    network: 'ports',
    api: 'common ports network',
    account: 'common ports network api',
    store: 'ports account',
    'network/settings': 'common ports store network',
    scheduler: 'common ports store',
    'bulk-commands': 'common ports store scheduler',
    sites: 'common ports api scheduler',
    mirror: 'common ports store',
    library: 'common ports api account store mirror',
    'mirror/sync': 'common ports api account store scheduler sites mirror library',
    'watch/readiness': 'ports',
    'media-tags': 'common ports',
    'uploads/delivery/sender': 'common ports network api',
    'uploads/journal': 'common ports store',
    details: 'common ports',
    'uploads/places': 'common ports uploads/journal',
    companions: 'ports details media-tags uploads/journal uploads/places',
    'uploads/adding': 'ports media-tags uploads/journal uploads/places companions',
    'uploads/delivery/items': 'ports api scheduler uploads/journal',
    'uploads/duplicates': 'ports api store scheduler uploads/journal',
    'uploads/local-files': 'common ports scheduler uploads/journal uploads/places uploads/duplicates',
    'uploads/delivery': `common ports network api store scheduler sites library uploads/delivery/sender uploads/journal
      uploads/delivery/items uploads/duplicates uploads/local-files`,
    doctor: 'common ports api store network/settings',
    'uploads/follow-ups': `ports api store scheduler sites uploads/delivery/sender uploads/journal
      uploads/local-files uploads/delivery`,
    'uploads/pacing': 'ports store uploads/delivery/sender uploads/journal uploads/delivery',
    'uploads/processing': 'common ports api scheduler sites uploads/journal uploads/delivery',
    'uploads/reports': `${QUEUE_BASE} uploads/delivery uploads/pacing uploads/processing`,
    'uploads/queue': `${QUEUE_BASE} bulk-commands uploads/local-files uploads/delivery uploads/follow-ups uploads/pacing
      uploads/processing uploads/reports`,
    uploads: `common ports network media-tags api store scheduler bulk-commands sites uploads/delivery/sender uploads/journal
      uploads/places companions uploads/adding uploads/delivery/items uploads/duplicates uploads/local-files uploads/delivery
      uploads/pacing uploads/reports uploads/queue`,
    'edits/journal': 'common ports store bulk-commands library',
    'edits/replay': 'common ports api store scheduler sites library mirror edits/journal',
    'edits/commands': 'common ports api scheduler bulk-commands library mirror edits/journal edits/replay',
    'edits/reports': 'common ports scheduler mirror edits/journal edits/replay',
    edits: `common ports api store scheduler sites library mirror edits/journal edits/replay edits/commands
      edits/reports`,
    'admin/jobs': 'common ports store',
    admin: 'common ports api store admin/jobs',
    'item-files': 'common ports api library uploads/adding',
    'manifest/table': 'common ports',
    manifest: 'common ports library edits/commands manifest/table',
    'watch/rows': 'ports store',
    'watch/identity': 'ports watch/rows',
    'watch/detection': 'ports scheduler watch/readiness watch/rows watch/identity',
    'watch/intake': 'ports manifest/table uploads/journal uploads/places companions watch/rows watch/identity',
    'watch/settling': `details ports media-tags scheduler uploads/journal companions uploads/adding uploads/duplicates
      watch/readiness watch/rows watch/identity watch/detection watch/intake`,
    watch: `common ports media-tags store scheduler uploads/journal uploads/adding uploads/duplicates uploads/queue
      uploads watch/readiness watch/rows watch/identity watch/detection watch/intake watch/settling`,
  },
});

// Which folder of the renderer may import from which.
import { partRules } from './folder-rule.ts';

/** What the state of each feature imports from. */
const STATE_BASE = 'kit/bridge kit/text kit/async features/common/state';

/** What the screens of each feature import from. */
const SCREEN_BASE = 'kit/text kit/components features/common/state';

/** A feature may read the state of another feature. Its screens are imported only by the shell. */
export const RENDERER_FOLDERS = partRules({
  part: 'renderer',
  folders: {
    'kit/bridge': '',
    'kit/text': 'kit/bridge',
    'kit/async': 'kit/text',
    'kit/lists': 'kit/text',
    'kit/components': 'kit/bridge kit/text kit/lists',
    'kit/waveform': '',
    'features/common/state': 'kit/bridge kit/text kit/async',
    'features/edits/state': `${STATE_BASE} kit/lists`,
    'features/library/state': `${STATE_BASE} kit/lists kit/waveform features/edits/state`,
    'features/calendar/state': `${STATE_BASE} kit/lists features/library/state features/edits/state`,
    'features/uploads/state': `${STATE_BASE} kit/lists kit/waveform`,
    'features/receipts/state': `${STATE_BASE} kit/lists`,
    'features/watched/state': `${STATE_BASE} kit/lists features/library/state`,
    'features/settings/state': STATE_BASE,
    'features/admin/state': `${STATE_BASE} kit/lists`,
    'features/common': `${SCREEN_BASE} kit/bridge kit/async kit/lists features/library/state features/uploads/state`,
    'features/edits': `${SCREEN_BASE} features/common features/edits/state`,
    'features/library': `${SCREEN_BASE} kit/bridge kit/async kit/waveform features/common features/library/state features/edits/state
      features/uploads/state`,
    'features/calendar': `${SCREEN_BASE} kit/bridge kit/lists features/common features/calendar/state features/library/state`,
    'features/uploads': `${SCREEN_BASE} kit/bridge kit/lists kit/waveform features/common features/uploads/state features/receipts/state`,
    'features/receipts': `${SCREEN_BASE} kit/lists features/common features/receipts/state features/uploads/state`,
    'features/watched': `${SCREEN_BASE} kit/bridge kit/lists features/common features/watched/state features/uploads/state`,
    'features/settings': `${SCREEN_BASE} kit/bridge features/common features/settings/state features/uploads/state`,
    'features/admin': `${SCREEN_BASE} kit/bridge kit/async kit/lists features/common features/admin/state`,
    'features/sign-in': `${SCREEN_BASE} kit/bridge`,
    shell: `${SCREEN_BASE} kit/bridge kit/async features/common features/edits/state features/library/state features/uploads/state
      features/receipts/state features/watched/state features/settings/state features/edits features/library
      features/calendar features/uploads features/receipts features/watched features/settings features/sign-in features/admin`,
  },
});

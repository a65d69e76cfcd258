import { defineTexts } from '../../text/define-texts.ts';

/** The texts of the main window: sidebar and frame. */
export const texts = defineTexts({
  en: {
    sidebar: {
      label: 'Sidebar',
      views: 'Views',
      names: { library: 'Library', uploads: 'Uploads', receipts: 'Receipts', settings: 'Settings' },
      failed: 'failed',
      pending: 'to go',
      asking: (count: number) => (count === 1 ? 'needs a decision' : 'need a decision'),
      hide: 'Hide the sidebar',
      show: 'Show the sidebar',
      width: 'Width of the sidebar',
    },
  },
});

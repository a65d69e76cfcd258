import { ExternalLink, Eye, Play } from 'lucide-react';
import type { Showing } from '../state/files/playable.ts';
import { texts } from './texts.ts';

/** The icon of the button that shows a file. */
export function ShowIcon({ showing, size = 14 }: { showing: Showing; size?: number }) {
  if (showing === 'web') return <ExternalLink size={size} aria-hidden />;
  return showing === 'video' || showing === 'audio' ? (
    <Play size={size} aria-hidden />
  ) : (
    <Eye size={size} aria-hidden />
  );
}

/** The label of the button that shows a file. */
export function showWord(showing: Showing): string {
  if (showing === 'web') return texts.openInBrowser;
  return showing === 'video' || showing === 'audio' ? texts.play : texts.show;
}

/** The accessible name of the button that shows a file or an item of this name. */
export function showLabel(showing: Showing, name: string): string {
  if (showing === 'web') return texts.openFile(name);
  return showing === 'video' || showing === 'audio' ? texts.playFile(name) : texts.showFile(name);
}

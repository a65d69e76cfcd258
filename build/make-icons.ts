// Draws build/icons/icon.svg in every size that desktops use. Run it after a change of the drawing:
//
// node build/make-icons.ts
import { writeFile } from 'node:fs/promises';
import { drawIcon, ICON_SIZES, iconPath } from './icon-drawing.ts';

for (const size of ICON_SIZES) await writeFile(iconPath(size), await drawIcon(size));

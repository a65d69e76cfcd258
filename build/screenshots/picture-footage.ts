// Films and photos with distinct thumbnails in a grid: patterns of light, created by ffmpeg.
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns the distance from the point `x`, `y`, given as shares of the picture. */
const from = (x: number, y: number) => `hypot(X-W*${x},Y-H*${y})`;
const wave = (distance: string, length: number) => `cos(${distance}/${length}-T*5)`;

/** Brightness from 0 to 1 at `X`, `Y` and the time `T`, and two colors: the dark one, and what light adds to it. */
interface Pattern {
  light: string;
  dark: readonly [number, number, number];
  adds: readonly [number, number, number];
}

const BLUE = { dark: [12, 26, 66], adds: [150, 200, 185] } as const;
const AMBER = { dark: [48, 22, 12], adds: [200, 160, 80] } as const;
const GREEN = { dark: [8, 40, 34], adds: [150, 205, 140] } as const;
const RED = { dark: [40, 8, 20], adds: [210, 70, 60] } as const;
const GRAY = { dark: [26, 28, 34], adds: [200, 200, 196] } as const;

/** The title of the film for the player: mostly dark, so that its picture takes little space. */
export const FILM = 'Double Slit';

const PATTERNS: readonly (Pattern & { name: string; isFilm?: boolean })[] = [
  {
    name: 'Two Sources',
    ...BLUE,
    light: `pow((2+${wave(from(0.36, 0.5), 6)}+${wave(from(0.64, 0.5), 6)})/4,2)`,
  },
  { name: 'Newton’s Rings', ...AMBER, light: `pow(cos(pow(${from(0.5, 0.5)},2)/5200),2)` },
  {
    name: FILM,
    isFilm: true,
    ...RED,
    light: 'pow(cos((X-W/2)/9),2)*exp(-pow((X-W/2)/150,2))*exp(-pow((Y-H/2)/70,4))',
  },
  { name: 'Circular Aperture', ...GREEN, light: `pow(sin(${from(0.5, 0.5)}/16+0.01)/(${from(0.5, 0.5)}/16+0.3),2)` },
  {
    name: 'Ripple Tank',
    isFilm: true,
    ...GREEN,
    light: `(1+${wave(from(0.1, 0.5), 9)}*exp(-${from(0.1, 0.5)}/420))/2`,
  },
  { name: 'Crossed Gratings', ...BLUE, light: 'pow(cos(X/11),4)*pow(cos(Y/11),4)' },
  { name: 'Laser on a Screen', ...RED, light: `exp(-pow(${from(0.5, 0.5)}/60,2))+0.25*exp(-${from(0.5, 0.5)}/120)` },
  { name: 'Moiré', ...GRAY, light: `(1+cos(${from(0.45, 0.5)}/4)*cos(${from(0.55, 0.5)}/4))/2` },
  { name: 'Polarised Stress', ...AMBER, light: '(1+sin(X/40+2*sin(Y/36))*cos(Y/30+sin(X/50)))/2' },
  {
    name: 'Prism',
    ...GRAY,
    light: 'exp(-pow((Y-H*0.5-(X-W*0.3)*0.35)/26,2))*gt(X,W*0.3)+0.6*lt(abs(Y-H/2),5)*lt(X,W*0.3)',
  },
];

/** Creates films of three seconds and photos in this folder. Throws without ffmpeg. */
export async function makeFootage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const pattern of PATTERNS) {
    const target = join(folder, `${pattern.name}.${pattern.isFilm ? 'mp4' : 'png'}`);
    const [r, g, b] = pattern.dark.map((dark, at) => `'${dark}+${pattern.adds[at]}*clip(${pattern.light},0,1)'`);
    const picture = `color=black:size=640x360:rate=6:duration=3,format=gbrp,geq=r=${r}:g=${g}:b=${b}`;
    const output = pattern.isFilm
      ? [
          '-f',
          'lavfi',
          '-i',
          'sine=frequency=220:duration=3',
          '-c:v',
          'libx264',
          '-crf',
          '8',
          '-pix_fmt',
          'yuv420p',
          '-c:a',
          'aac',
        ]
      : ['-frames:v', '1'];
    await run('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', picture, ...output, target]);
  }
}

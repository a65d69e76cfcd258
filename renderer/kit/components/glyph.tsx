import {
  ArrowUp,
  AudioLines,
  Ban,
  CalendarClock,
  Check,
  ChevronRight,
  ChevronsDown,
  ChevronsUp,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleHelp,
  CirclePause,
  Clock,
  Ellipsis,
  FileText,
  Folder,
  GripVertical,
  Image,
  LoaderCircle,
  Paperclip,
  PencilLine,
  Podcast,
  SkipForward,
  SquarePlay,
  TriangleAlert,
  User,
  Users,
} from 'lucide-react';

/** Icons of list rows. They are defined once in the page and referenced, so that rows render fast. */
const GLYPHS = {
  queued: CircleDashed,
  preparing: CircleDot,
  sending: ArrowUp,
  finishing: Check,
  processing: LoaderCircle,
  waiting: Clock,
  paused: CirclePause,
  complete: CircleCheck,
  failed: CircleAlert,
  cancelled: Ban,
  skipped: SkipForward,
  published: CircleCheck,
  scheduled: CalendarClock,
  draft: PencilLine,
  warning: TriangleAlert,
  unknown: CircleHelp,
  video: SquarePlay,
  audio: AudioLines,
  doc: FileText,
  image: Image,
  file: Paperclip,
  folder: Folder,
  podcast: Podcast,
  person: User,
  group: Users,
  open: ChevronRight,
  grip: GripVertical,
  more: Ellipsis,
  high: ChevronsUp,
  low: ChevronsDown,
} as const;

export type GlyphName = keyof typeof GLYPHS;

const idOf = (name: string) => `glyph-${name}`;

/** Defines the icons; rendered once in the page. */
export function GlyphSheet() {
  return (
    <svg width={0} height={0} style={{ position: 'absolute' }} aria-hidden="true" role="presentation">
      {Object.entries(GLYPHS).map(([name, Icon]) => (
        <symbol key={name} id={idOf(name)} viewBox="0 0 24 24">
          <Icon size={24} strokeWidth={1.9} />
        </symbol>
      ))}
    </svg>
  );
}

interface GlyphProps {
  name: GlyphName;
  size?: number;
  className?: string | undefined;
}

export function Glyph({ name, size = 14, className }: GlyphProps) {
  return (
    <svg width={size} height={size} className={className} aria-hidden="true" role="presentation">
      <use href={`#${idOf(name)}`} />
    </svg>
  );
}

/** The logo of Mediadesk: a desk with a recording on it. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" role="presentation">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="#fff">
        <rect x="7" y="12.5" width="2.5" height="5" rx="1.25" />
        <rect x="11.9" y="8.5" width="2.5" height="13" rx="1.25" />
        <rect x="16.8" y="6" width="2.5" height="18" rx="1.25" />
        <rect x="21.7" y="10.5" width="2.5" height="9" rx="1.25" />
        <rect x="6" y="26" width="20" height="1.8" rx="0.9" opacity="0.55" />
      </g>
    </svg>
  );
}

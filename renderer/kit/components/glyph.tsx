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

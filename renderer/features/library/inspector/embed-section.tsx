import { Copy } from 'lucide-react';
import { useState } from 'react';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import type { MediaDetail } from '../../../../shared/contract/library.ts';
import type { MediaRef } from '../../../../shared/contract/media-ref.ts';
import { appLinkTo } from '../../../../shared/model/app-link.ts';
import { EMBED_SIZES, MAX_EMBED_SIDE } from '../../../../shared/model/embed-size.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { copyText } from '../../../kit/bridge/files-and-clipboard.ts';
import { Button } from '../../../kit/components/button.tsx';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { Select } from '../../../kit/components/forms/select.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { fieldErrorsOf, toErrorData } from '../../../kit/text/errors.ts';
import { useApp } from '../../common/state/app-store.ts';
import { attempt, notify } from '../../common/state/messages-store.ts';
import { useInspector } from '../state/inspector-store.ts';
import { texts } from '../texts.ts';
import styles from './inspector.module.css';

const words = texts.item.embed;
const OPTIONS = [
  ...EMBED_SIZES.map(({ width, height }) => ({ value: `${width}x${height}`, label: words.sizeOf(width, height) })),
  { value: 'other', label: words.other },
];
const SIDES = ['width', 'height'] as const;
type Side = (typeof SIDES)[number];
type Typed = Readonly<Record<Side, string>>;

/** The addresses of an item: its web page, its player, and the markup that embeds the player. */
export function EmbedSection({ detail }: { detail: MediaDetail }) {
  const siteId = useInspector((state) => state.siteId);
  const { item, viewUrl } = detail;
  const baseUrl = useApp(({ sites }) => sites.find(({ id }) => id === siteId)?.baseUrl ?? '');
  const appLink = appLinkTo({ baseUrl, target: 'item', id: item.id });
  const [choice, setChoice] = useState(OPTIONS[0]?.value ?? 'other');
  const [typed, setTyped] = useState<Typed>({ width: '800', height: '450' });
  const [code, setCode] = useState<EmbedCode | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problems, setProblems] = useState<Partial<Typed>>({});
  const [error, setError] = useState<AppErrorData | null>(null);

  const forget = () => {
    setCode(null);
    setProblems({});
    setError(null);
  };
  /** Runs work for the chosen size, or shows what to correct. */
  const run = async (work: (ref: MediaRef, size: Size) => Promise<void>) => {
    if (siteId === null) return;
    const size = choice === 'other' ? readSize(typed) : sizeOf(choice);
    setProblems({});
    setError(null);
    if ('problems' in size) return setProblems(size.problems);
    setIsBusy(true);
    try {
      await work({ siteId, mediaId: item.id }, size);
    } catch (thrown) {
      const data = toErrorData(thrown);
      const { fields } = fieldErrorsOf(data, SIDES);
      setProblems(fields);
      if (Object.keys(fields).length === 0) setError(data);
    } finally {
      setIsBusy(false);
    }
  };
  const make = () => run(async (ref, size) => setCode(await loadEmbedCode(ref, size)));
  const preview = () =>
    run(async (ref, size) => void (await call('library.previewPlayer', { ...ref, ...size, title: item.title })));
  const previewButton = (
    <Button onPress={() => void preview()} isDisabled={isBusy}>
      {words.preview}
    </Button>
  );
  return (
    <section className={styles.section} aria-label={words.title}>
      <h3 className={styles.sectionTitle}>{words.title}</h3>
      {viewUrl === null && appLink === null ? null : (
        <div className={styles.row}>
          {viewUrl === null ? null : <CopyButton text={viewUrl} label={words.copyPage} notice={words.pageCopied} />}
          {appLink === null ? null : <CopyButton text={appLink} label={words.copyApp} notice={words.pageCopied} />}
        </div>
      )}
      <Select
        label={words.size}
        value={choice}
        options={OPTIONS}
        onChange={(next) => {
          forget();
          setChoice(next);
        }}
      />
      {choice === 'other' ? (
        <div className={styles.sides}>
          {SIDES.map((side) => (
            <TextField
              key={side}
              label={words[side]}
              inputMode="numeric"
              value={typed[side]}
              onChange={(next) => {
                forget();
                setTyped({ ...typed, [side]: next });
              }}
              error={problems[side] === undefined ? null : { message: problems[side] }}
            />
          ))}
        </div>
      ) : null}
      {error === null ? null : <InlineError error={error} />}
      {code === null ? (
        <div className={styles.row}>
          <Button onPress={() => void make()} isBusy={isBusy}>
            {words.make}
          </Button>
          {previewButton}
        </div>
      ) : (
        <>
          <TextField isReadOnly label={words.code} rows={3} value={code.html} spellCheck="false" />
          {item.status === 'published' ? null : <p className={styles.muted}>{words.notPublic}</p>}
          <div className={styles.row}>
            <CopyButton text={code.html} label={words.copyCode} notice={words.codeCopied} />
            {code.url === '' ? null : <CopyButton text={code.url} label={words.copyPlayer} notice={words.pageCopied} />}
            {previewButton}
          </div>
        </>
      )}
    </section>
  );
}

function CopyButton({ text, label, notice }: { text: string; label: string; notice: string }) {
  return (
    <Button icon={<Copy size={13} aria-hidden />} onPress={() => void copyWithNotice(text, notice)}>
      {label}
    </Button>
  );
}

function sizeOf(choice: string): Record<Side, number> {
  const [width = 0, height = 0] = choice.split('x').map(Number);
  return { width, height };
}

/** Returns the typed size, or the problems to correct. */
function readSize(typed: Typed): Record<Side, number> | { problems: Partial<Typed> } {
  const isGood = (text: string) => /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= MAX_EMBED_SIDE;
  const bad = SIDES.filter((side) => !isGood(typed[side]));
  if (bad.length === 0) return { width: Number(typed.width), height: Number(typed.height) };
  return { problems: Object.fromEntries(bad.map((side) => [side, words.badSide(MAX_EMBED_SIDE)])) };
}

type EmbedCode = CallOutput<'library.embedCode'>;
type Size = Record<Side, number>;

/** Returns the markup that shows an item's player in a web page. Sizes in pixels. Throws the library's errors. */
function loadEmbedCode(
  media: { siteId: string; mediaId: string },
  size: { width: number; height: number },
): Promise<EmbedCode> {
  return call('library.embedCode', { ...media, ...size });
}

/** Copies a text and confirms it. */
function copyWithNotice(text: string, notice: string): Promise<void> {
  return attempt(async () => {
    copyText(text);
    notify(notice);
  });
}

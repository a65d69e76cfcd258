import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Button, classes, IconButton } from '../../components/button.tsx';
import { dismissMessage, type Message, useMessages } from '../../stores/app/messages-store.ts';
import { createAnnouncer } from './announcer.ts';
import styles from './live-region.module.css';
import { texts } from './texts.ts';

/** The announcements for screen readers, and the short messages at the bottom of the window. */
export function LiveRegion() {
  const spoken = useSpoken();
  const messages = useMessages((state) => state.messages);
  const stack = useRef<HTMLDivElement>(null);
  useRoomFor(stack);
  return (
    <>
      {/* Marked, so that a modal dialog does not hide it from screen readers as it hides the rest of the window. */}
      <output className="visually-hidden" aria-live="polite" data-testid="announcements" data-live-announcer="true">
        {spoken}
      </output>
      <section aria-label={texts.messages} data-react-aria-top-layer="true">
        <div ref={stack} className={styles.stack}>
          {messages
            .filter((message) => !isQuiet(message))
            .map((message) => (
              <MessageCard key={message.key} message={message} />
            ))}
        </div>
        <div className={styles.notes}>
          {messages.filter(isQuiet).map((message) => (
            <Note key={message.key} message={message} />
          ))}
        </div>
      </section>
    </>
  );
}

/**
 * Returns whether a message is a short confirmation. It has no control, so no layout has to make room for it: it covers the line
 * of the upload strip.
 */
function isQuiet({ tone, nextStep, action }: Message): boolean {
  return tone === 'good' && nextStep === null && action === null;
}

const GAP = 16;
/** The upload strip, which is below the messages. */
const STRIP_HEIGHT = 36;

/** The lists and menus of fields and buttons. They close when their field moves. */
const OPEN_LIST = '[data-placement]:not([role="tooltip"])';

/**
 * Makes room for the messages: panes, dialogs and drawers end above them, so that no message covers a control. Styles read
 * `--messages` (inside the window) and `--messages-edge` (measured from the bottom of the window). While a list is open, nothing
 * moves: the room changes when the list closes.
 */
function useRoomFor(stack: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = stack;
    if (current === null) return;
    const { style } = document.documentElement;
    const change = () => {
      closing.disconnect();
      if (document.querySelector(OPEN_LIST) !== null) {
        closing.observe(document.body, { childList: true });
        return;
      }
      const height = current.offsetHeight;
      style.setProperty('--messages', height === 0 ? '0px' : `${height + GAP}px`);
      style.setProperty('--messages-edge', height === 0 ? '0px' : `${height + GAP + STRIP_HEIGHT}px`);
    };
    const closing = new MutationObserver(change);
    const size = new ResizeObserver(change);
    size.observe(current);
    return () => {
      size.disconnect();
      closing.disconnect();
    };
  }, [stack]);
}

/** Returns the current text for screen readers. It changes at most every two seconds, regardless of the number of sentences. */
function useSpoken(): string {
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    const announce = createAnnouncer({
      say: setSpoken,
      now: () => performance.now(),
      later: (work, ms) => void window.setTimeout(work, ms),
    });
    // A subscription, not a selector: React renders only the last of several sentences.
    return useMessages.subscribe(({ announced }, before) => {
      if (announced !== null && announced !== before.announced) announce(announced.sentence);
    });
  }, []);
  return spoken;
}

/** Removes a message when its time is over. */
function useTimeLimit({ key, shownMs }: Message): void {
  useEffect(() => {
    const timer = window.setTimeout(() => dismissMessage(key), shownMs);
    return () => window.clearTimeout(timer);
  }, [key, shownMs]);
}

function Note({ message }: { message: Message }) {
  useTimeLimit(message);
  return (
    <div className={styles.note} data-note="">
      <CircleCheck size={14} aria-hidden />
      <span>{message.text}</span>
    </div>
  );
}

function MessageCard({ message }: { message: Message }) {
  const { key, tone, text, nextStep, action } = message;
  useTimeLimit(message);
  const Icon = tone === 'good' ? CircleCheck : CircleAlert;
  return (
    <div className={classes(styles.card, styles[tone], action !== null && styles.withAction)}>
      <Icon size={16} aria-hidden />
      <div className={styles.text}>
        {text}
        {nextStep === null ? null : <span>{nextStep}</span>}
      </div>
      {action === null ? null : <Button onPress={action.run}>{action.label}</Button>}
      <IconButton label={texts.dismiss} small onPress={() => dismissMessage(key)}>
        <X size={14} />
      </IconButton>
    </div>
  );
}

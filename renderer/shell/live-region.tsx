import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react';
import { useApp } from '../features/common/state/app-store.ts';
import { useLayout } from '../features/common/state/layout-store.ts';
import { dismissMessage, type ShownMessage, useMessages } from '../features/common/state/messages-store.ts';
import { RAIL_WIDTH } from '../features/common/state/panes.ts';
import { Button, classes, IconButton } from '../kit/components/button.tsx';
import { createAnnouncer } from './announcer.ts';
import styles from './live-region.module.css';
import { texts } from './texts.ts';

/** The announcements for screen readers, and the short messages at the bottom of the window. */
export function LiveRegion() {
  const spoken = useSpoken();
  const messages = useMessages((state) => state.messages);
  const stack = useRef<HTMLDivElement>(null);
  useRoomFor(stack);
  const place = usePlace();
  return (
    <>
      {/* Marked, so that a modal dialog does not hide it from screen readers as it hides the rest of the window. */}
      <output className="visually-hidden" aria-live="polite" data-testid="announcements" data-live-announcer="true">
        {spoken}
      </output>
      <section aria-label={texts.messages} data-react-aria-top-layer="true">
        <div ref={stack} className={styles.stack} style={place}>
          {messages.slice(-MOST_SHOWN).map((message) => (
            <MessageCard key={message.key} message={message} />
          ))}
        </div>
      </section>
    </>
  );
}

/** Later messages replace earlier ones on the screen. All are announced. */
const MOST_SHOWN = 3;

/** Returns where messages are: above the view, between the sidebar and the inspector, whose buttons stay free. */
function usePlace(): CSSProperties {
  const { sidebar, sidebarWidth, inspector, inspectorWidth } = useLayout((state) => state.panes);
  const isOpen = useApp(({ siteId }) => siteId !== null);
  const hasInspector = useApp(({ view }) => view === 'library') && inspector === 'docked';
  return isOpen
    ? { left: sidebar === 'docked' ? sidebarWidth : RAIL_WIDTH, right: hasInspector ? inspectorWidth : 0 }
    : { left: 0, right: 0 };
}

const GAP = 16;
/** The upload strip, which is below the messages. */
const STRIP_HEIGHT = 36;

/** The lists and menus of fields and buttons. They close when their field moves. */
const OPEN_LIST = '[data-placement]:not([role="tooltip"])';

/**
 * Makes room for the messages in dialogs and drawers, which end above them: their buttons are at the bottom. Messages float over
 * views. Styles read `--messages-edge` (measured from the bottom of the window). While a list is open, nothing moves: the room
 * changes when the list closes.
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

function MessageCard({ message }: { message: ShownMessage }) {
  const { key, tone, text, nextStep, action } = message;
  const Icon = tone === 'good' ? CircleCheck : CircleAlert;
  return (
    <div className={classes(styles.card, styles[tone], action !== null && styles.withAction)} data-message="">
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

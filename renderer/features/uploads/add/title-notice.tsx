import { Tags } from 'lucide-react';
import { useMemo } from 'react';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { filesOf, useAdd } from '../state/add-store.ts';
import { texts as storeTexts } from '../state/texts.ts';
import { titleState } from '../state/title-contents.ts';
import { SheetNotice } from './sheet-notice.tsx';
import { texts } from './texts.ts';

/** Shows how many titles still need data from inside the files, and how many titles are file names because a value is missing. */
export function TitleNotice() {
  const preview = useAdd((state) => state.preview);
  const table = useAdd((state) => state.table);
  const titleTemplate = useAdd((state) => state.options.titleTemplate);
  const tags = useAdd((state) => state.options.tags);
  const contents = useAdd((state) => state.contents);
  const error = useAdd((state) => state.contentsError);
  const descriptions = useAdd((state) => state.descriptions);
  const state = useMemo(
    () =>
      table === null ? null : titleState(table, filesOf(preview), { titleTemplate, tags, contents, descriptions }),
    [table, preview, titleTemplate, tags, contents, descriptions],
  );
  if (state === null) return null;
  if (error !== null) return <InlineError error={error} />;
  const { files, pending, fallbacks } = state;
  if (pending === 0 && fallbacks === 0) return null;
  return (
    <SheetNotice
      icon={<Tags size={15} aria-hidden />}
      isOpen={pending === 0}
      text={pending > 0 ? texts.sheet.readingTitles(files - pending, files) : storeTexts.fallbackTitles(fallbacks)}
      hint={pending > 0 ? null : texts.sheet.fallbackHint}
      testId="title-notice"
    />
  );
}

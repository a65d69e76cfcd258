import { CopyCheck, ListOrdered } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../../../kit/components/button.tsx';
import { useAdd } from '../../state/add-store.ts';
import { useLocalSound } from '../../state/local-sound.ts';
import {
  checkTitles,
  continueSeries,
  endTitleChecks,
  leftOutOf,
  offeredTitle,
  readTitleSeries,
  useTitleChecks,
} from '../../state/title-checks.ts';
import { SheetNotice } from '../sheet-notice.tsx';
import { texts } from '../texts.ts';
import { SimilarDialog } from './similar-dialog.tsx';

/** What the titles of the sheet have in common with those of the library: items that may be the same, and a series. */
export function TitleNotices() {
  const table = useAdd((state) => state.table);
  const collectionId = useAdd((state) => state.collectionId);
  const sounds = useLocalSound((state) => state.sounds);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these change which titles are compared, and with what
  useEffect(() => checkTitles(), [table, collectionId, sounds]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the collection has the series
  useEffect(() => void readTitleSeries(), [collectionId]);
  useEffect(() => endTitleChecks, []);
  return (
    <>
      <SeriesNotice />
      <SimilarNotice />
    </>
  );
}

function SeriesNotice() {
  const table = useAdd((state) => state.table);
  const series = useTitleChecks((state) => state.series?.found ?? null);
  const offered = series === null ? null : offeredTitle(table, series);
  if (series === null || offered === null) return null;
  return (
    <SheetNotice
      icon={<ListOrdered size={15} aria-hidden />}
      isOpen={false}
      text={texts.titles.series(series.title)}
      testId="series-notice"
    >
      <Button onPress={() => continueSeries(series)}>{texts.titles.continue(offered)}</Button>
    </SheetNotice>
  );
}

function SimilarNotice() {
  const table = useAdd((state) => state.table);
  const similar = useTitleChecks((state) => state.similar);
  const [isOpen, setOpen] = useState(false);
  if (similar.size === 0 && !isOpen) return null;
  const out = leftOutOf(table, similar.keys());
  const [first] = similar.values();
  return (
    <>
      {first === undefined ? null : (
        <SheetNotice
          icon={<CopyCheck size={15} aria-hidden />}
          isOpen={out.size < similar.size}
          text={similar.size === 1 ? texts.titles.similarTo(first.item.title) : texts.titles.similar(similar.size)}
          hint={texts.titles.similarHint}
          testId="similar-notice"
        >
          <Button onPress={() => setOpen(true)}>{texts.titles.show}</Button>
        </SheetNotice>
      )}
      {isOpen ? <SimilarDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

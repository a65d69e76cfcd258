import { Sheet } from 'lucide-react';
import { useEffect, useState } from 'react';
import { fileMappingProblem } from '../../../../../shared/model/manifest/file-rows.ts';
import { Button } from '../../../../kit/components/button.tsx';
import { checkManifest, decideManifest } from '../../state/add-manifests.ts';
import { filesOf, useAdd } from '../../state/add-store.ts';
import { coverageOf, type ManifestOffer } from '../../state/manifest-offer.ts';
import { SheetNotice } from '../sheet-notice.tsx';
import { texts } from '../texts.ts';
import { ManifestDialog } from './manifest-dialog.tsx';

/** One line for each spreadsheet among the added files: whether its values are used. */
export function ManifestNotices() {
  const manifests = useAdd((state) => state.manifests);
  return manifests.map((offer) => <ManifestNotice key={offer.path} offer={offer} />);
}

function ManifestNotice({ offer }: { offer: ManifestOffer }) {
  const { path, fileName, decision, checked, isBusy } = offer;
  const sidecars = useAdd((state) => state.sidecars);
  const files = filesOf(useAdd((state) => state.preview));
  const [isOpen, setOpen] = useState(false);
  // Reads the spreadsheet when it is first offered. Checks it again after another choice about captions, which can have rows only
  // where they are items of their own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choice about captions changes the result of the check
  useEffect(() => void checkManifest(path), [path, sidecars]);
  const { described, files: all } = coverageOf(offer, files);
  const badRows = checked?.badRows ?? 0;
  const isUsable = described > 0;
  const hint = [
    ...(needsColumns(offer) ? [texts.manifest.unknownHint] : []),
    ...(badRows > 0 && decision !== 'declined' ? [texts.manifest.bad(badRows)] : []),
    texts.manifest.notUploaded,
  ].join(' ');
  return (
    <>
      <SheetNotice
        icon={<Sheet size={15} aria-hidden />}
        isOpen={decision === 'open' && !isBusy}
        text={textOf(offer, described, all)}
        hint={hint}
        testId="manifest-notice"
      >
        {decision === 'open' && isUsable ? (
          <Button variant="primary" onPress={() => decideManifest(path, 'used')}>
            {texts.manifest.use}
          </Button>
        ) : null}
        {decision === 'declined' ? (
          <Button isDisabled={!isUsable} onPress={() => decideManifest(path, 'used')}>
            {texts.manifest.use}
          </Button>
        ) : (
          <Button onPress={() => setOpen(true)}>
            {needsColumns(offer) ? texts.manifest.chooseColumns : texts.manifest.check}
          </Button>
        )}
        {decision === 'declined' ? null : (
          <Button onPress={() => decideManifest(path, 'declined')}>
            {decision === 'used' ? texts.manifest.stop : texts.manifest.decline}
          </Button>
        )}
      </SheetNotice>
      {isOpen ? (
        <ManifestDialog path={path} title={texts.manifest.title(fileName)} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

function needsColumns({ opened, mapping }: ManifestOffer): boolean {
  return opened !== null && fileMappingProblem(mapping) !== null;
}

function textOf(offer: ManifestOffer, described: number, all: number): string {
  const { fileName, decision, checked, isBusy, error } = offer;
  if (decision === 'declined') return texts.manifest.declined(fileName);
  if (error !== null) return texts.manifest.failed(fileName);
  if (decision === 'used') return texts.manifest.used(fileName, described, all);
  if (needsColumns(offer)) return texts.manifest.unknown(fileName);
  if (isBusy || checked === null) return texts.manifest.reading(fileName);
  return described === 0 ? texts.manifest.none(fileName) : texts.manifest.offer(fileName, described, all);
}

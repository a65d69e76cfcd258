import { FileUp } from 'lucide-react';
import type { Encoding, MediaFile } from '../../../../shared/api/files.ts';
import { EmptyState } from '../../../components/status/empty-state.tsx';
import { StateChip } from '../../../components/status/state-chip.tsx';
import { TypeIcon } from '../../../components/type-icon.tsx';
import { formatBytes, formatDuration } from '../../../text/format.ts';
import { fileLook, typeWord } from '../../../text/states.ts';
import { texts } from '../texts.ts';
import styles from './inspector.module.css';

/** The files of an item, each with its encodings. */
export function InspectorFiles({ files }: { files: readonly MediaFile[] }) {
  if (files.length === 0) {
    return <EmptyState icon={FileUp} title={texts.files.none} text={texts.files.noneHint} />;
  }
  return (
    <div className={styles.scroll}>
      <ul className={styles.files} aria-label={texts.files.label}>
        {files.map((file) => (
          <li key={file.id} className={styles.file}>
            <div className={styles.fileHead}>
              <TypeIcon type={file.type} />
              <div className={styles.fileText}>
                <div className={styles.fileName} title={file.display_name}>
                  {file.display_name || typeWord(file.type)}
                </div>
                <div className={styles.fileFacts}>{factsOf(file).join(' · ')}</div>
                <StateChip look={fileLook(file.status)} state={file.status} />
                <NextStep status={file.status} />
              </div>
            </div>
            <Encodings encodings={file.encodings ?? []} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The next step for a state that needs one. */
function NextStep({ status }: { status: string }) {
  const text = status === 'error' ? texts.files.processingFailed : status === 'aborted' ? texts.files.aborted : null;
  return text === null ? null : <p className={styles.small}>{text}</p>;
}

function Encodings({ encodings }: { encodings: readonly Encoding[] }) {
  if (encodings.length === 0) return null;
  return (
    <ul className={styles.encodings} aria-label={texts.files.encodings}>
      {encodings.map((encoding) => (
        <li key={encoding.id} className={styles.encoding}>
          <span>
            {encoding.encoding_profile || encoding.display_name || texts.files.encoding}
            <span className={styles.small}>
              <br />
              {factsOf(encoding).slice(1).join(' · ')}
            </span>
          </span>
          <StateChip look={fileLook(encoding.status)} state={encoding.status} />
        </li>
      ))}
    </ul>
  );
}

function factsOf(file: MediaFile | Encoding): string[] {
  const facts = [typeWord(file.type)];
  if (file.container) facts.push(file.container.toUpperCase());
  if (file.width !== null && file.height !== null) facts.push(`${file.width} × ${file.height}`);
  if (file.duration) facts.push(formatDuration(file.duration));
  if (file.size !== null) facts.push(formatBytes(file.size));
  return facts;
}

import { Copy, LoaderCircle, Stethoscope } from 'lucide-react';
import type { DoctorReport, Finding } from '../../../shared/contract/doctor.ts';
import { copyText } from '../../kit/bridge/files-and-clipboard.ts';
import { Button } from '../../kit/components/button.tsx';
import { InlineError } from '../../kit/components/status/empty-state.tsx';
import { StateChip } from '../../kit/components/status/state-chip.tsx';
import { formatDateTime, formatUtc } from '../../kit/text/format.ts';
import { useApp } from '../common/state/app-store.ts';
import { attempt, notify } from '../common/state/messages-store.ts';
import { FINDING_LOOKS, findingLines, reportText, sortedFindings } from './check-text.ts';
import { SettingGroup, SettingRow } from './setting.tsx';
import styles from './settings-view.module.css';
import { reportSentence, runDoctor, useDoctor } from './state/doctor-store.ts';
import { texts } from './texts.ts';

/** Runs the check of the queue against the libraries, and lists its findings. */
export function CheckSection() {
  const { isRunning, report, error } = useDoctor();
  return (
    <>
      <SettingGroup title={texts.check.title} text={texts.check.text}>
        <SettingRow
          label={isRunning ? texts.check.running : report === null ? texts.check.notYet : reportSentence(report)}
          hint={
            isRunning ? (
              texts.check.runningHint
            ) : report === null ? (
              texts.check.notYetHint
            ) : (
              <span title={formatUtc(report.checkedAt)}>{formatDateTime(report.checkedAt)}</span>
            )
          }
          below={error === null ? undefined : <InlineError error={error} />}
        >
          {report === null || isRunning ? null : <CopyButton report={report} />}
          <Button
            variant="primary"
            isDisabled={isRunning}
            icon={
              isRunning ? (
                <LoaderCircle size={14} className={styles.turning} aria-hidden />
              ) : (
                <Stethoscope size={14} aria-hidden />
              )
            }
            onPress={() => void runDoctor()}
          >
            {isRunning ? texts.check.running : report === null ? texts.check.start : texts.check.again}
          </Button>
        </SettingRow>
      </SettingGroup>
      {report === null ? null : <Findings report={report} />}
    </>
  );
}

function CopyButton({ report }: { report: DoctorReport }) {
  const version = useApp((state) => state.info?.version ?? '');
  return (
    <Button
      icon={<Copy size={14} aria-hidden />}
      onPress={() =>
        void attempt(async () => {
          copyText(reportText(report, version));
          notify(texts.check.copied);
        })
      }
    >
      {texts.check.copy}
    </Button>
  );
}

function Findings({ report }: { report: DoctorReport }) {
  return (
    <section aria-label={texts.check.findings}>
      <h3 className={styles.heading}>{texts.check.findings}</h3>
      <ul className={styles.findings}>
        {sortedFindings(report).map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a report never changes, and a code may be found twice
          <FindingLine key={index} finding={finding} />
        ))}
      </ul>
    </section>
  );
}

function FindingLine({ finding }: { finding: Finding }) {
  const lines = findingLines(finding);
  return (
    <li className={styles.finding} data-severity={finding.severity} data-code={finding.code}>
      <StateChip look={FINDING_LOOKS[finding.severity]} state={finding.severity} />
      <div className={styles.words} data-selectable>
        <p className={styles.message}>{finding.message}</p>
        {finding.nextStep === null ? null : <p className={styles.next}>{finding.nextStep}</p>}
        {lines.length === 0 || finding.severity === 'ok' ? null : (
          <details className={styles.details}>
            <summary>{texts.check.details}</summary>
            <dl>
              <dt>{texts.check.code}</dt>
              <dd>{finding.code}</dd>
              {lines.map(({ label, text }) => (
                <div key={`${label}/${text}`} style={{ display: 'contents' }}>
                  <dt>{label}</dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </div>
    </li>
  );
}

import { useEffect, useState } from 'react';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { MAX_ADMIN_SEARCH } from '../../../../shared/model/access/admin-limits.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { SearchField } from '../../../kit/components/forms/field.tsx';
import { FieldOptionList, useFieldOptions } from '../../../kit/components/forms/field-options.tsx';
import { Glyph } from '../../../kit/components/glyph.tsx';
import { shownName } from '../../../kit/text/shown-name.ts';
import { showError } from '../state/messages-store.ts';
import styles from './access.module.css';
import { texts } from './texts.ts';

export type FoundSubject = CallOutput<'access.subjects'>[number];

const MOST_OFFERS = 12;
const NONE: readonly FoundSubject[] = [];

/** Returns the name of what was found, with its e-mail address or number when others have the same name. */
export function nameOfSubject({ subject, name, detail, isNamesake }: FoundSubject): string {
  return isNamesake ? texts.subject.namesake(name, detail, subject.id) : name;
}

interface SubjectFieldProps {
  siteId: string;
  onTake: (found: FoundSubject) => void;
}

/** Finds a user or a group by a part of the name or the e-mail address. */
export function SubjectField({ siteId, onTake }: SubjectFieldProps) {
  const [text, setText] = useState('');
  const [offers, setOffers] = useState<readonly FoundSubject[]>(NONE);
  const [reads] = useState(latestOnly);
  const take = (found: FoundSubject) => {
    setText('');
    setOffers(NONE);
    onTake(found);
  };
  const list = useFieldOptions(offers, { onTake: take, onClose: () => setOffers(NONE) });
  useEffect(() => {
    const read = reads.begin();
    if (text.trim() === '') {
      setOffers(NONE);
      return;
    }
    call('access.subjects', { siteId, text: text.trim().slice(0, MAX_ADMIN_SEARCH), limit: MOST_OFFERS }).then(
      (found) => {
        if (read.isLatest()) setOffers(found);
      },
      (thrown) => {
        if (read.isLatest()) showError(thrown);
      },
    );
  }, [siteId, text, reads]);
  return (
    <div
      className={styles.field}
      onKeyDownCapture={(event) => {
        if (list.onKeyDown(event)) event.stopPropagation();
      }}
    >
      <SearchField
        label={texts.subject.label}
        value={text}
        maxLength={200}
        inputProps={list.fieldProps}
        onChange={(next) => {
          list.reset();
          setText(next);
        }}
      />
      <FieldOptionList
        label={texts.subject.offers}
        list={list}
        keyOf={({ subject: { kind, id } }) => `${kind} ${id}`}
        floats
      >
        {({ subject, name, detail, isNamesake }) => (
          <span className={styles.option}>
            <Glyph name={subject.kind === 'group' ? 'group' : 'person'} size={15} />
            <span>{shownName(name)}</span>
            <span className={styles.note}>{texts.subject.detail(subject, detail, isNamesake)}</span>
          </span>
        )}
      </FieldOptionList>
    </div>
  );
}

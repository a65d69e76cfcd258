import { Copy, ExternalLink } from 'lucide-react';
import { EXPLICIT_VALUES, type PodcastField } from '../../../../shared/api/podcast-fields.ts';
import { Button, IconButton } from '../../../kit/components/button.tsx';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { RadioList } from '../../../kit/components/forms/radio-list.tsx';
import { copyToClipboard, openWebPage } from '../../common/commands/commands.ts';
import { notify } from '../../common/state/messages-store.ts';
import { texts } from '../collections/texts.ts';
import { type Findings, isHttps, type PodcastDraft } from '../state/podcast/podcast-draft.ts';
import { CategoryPicker } from './category-picker.tsx';
import styles from './podcast.module.css';

interface PodcastFieldsProps {
  opened: PodcastDraft;
  draft: PodcastDraft;
  findings: Findings;
  /** The messages of the library about refused values. */
  refused: Partial<Record<PodcastField, string>>;
  onEdit: (change: Partial<PodcastDraft>) => void;
}

/** The nine fields of podcast details. */
export function PodcastFields({ opened, draft, findings, refused, onEdit }: PodcastFieldsProps) {
  const text = (field: PodcastField, hint?: string) => {
    const finding = findings[field];
    const problem = refused[field] ?? (finding?.kind === 'problem' ? finding.text : null);
    const warning = finding?.kind === 'warning' ? finding.text : null;
    return (
      <div className={styles.field}>
        <TextField
          label={texts.podcast.fields[field]}
          value={draft[field]}
          onChange={(value) => onEdit({ [field]: value })}
          error={problem === null ? null : { message: problem }}
          {...(hint === undefined ? {} : { hint })}
        />
        {warning === null || problem !== null ? null : (
          <p className={styles.warning} role="status">
            {warning}
          </p>
        )}
      </div>
    );
  };
  return (
    <div className={styles.fields}>
      {text('directory_author_name')}
      {text('directory_author_email', texts.podcast.hints.directory_author_email)}
      {text('directory_subtitle', texts.podcast.hints.directory_subtitle(draft.directory_subtitle.trim().length))}
      <CategoryPicker
        value={draft.directory_category}
        opened={opened.directory_category}
        onChange={(value) => onEdit({ directory_category: value })}
      />
      <Explicit
        value={draft.directory_explicit}
        opened={opened.directory_explicit}
        warning={findings.directory_explicit?.text ?? refused.directory_explicit ?? null}
        onChange={(value) => onEdit({ directory_explicit: value })}
      />
      <div className={styles.field}>
        {text('copyright')}
        <CopyrightSuggestion draft={draft} onEdit={onEdit} />
      </div>
      <WithLink address={draft.directory_url} field="directory_url">
        {text('directory_url', texts.podcast.hints.directory_url)}
      </WithLink>
      <WithLink address={draft.feed_proxy_url} field="feed_proxy_url">
        {text('feed_proxy_url', texts.podcast.hints.feed_proxy_url)}
      </WithLink>
      {opened.directory_edu_category === ''
        ? null
        : text('directory_edu_category', texts.podcast.hints.directory_edu_category)}
    </div>
  );
}

interface ExplicitProps {
  value: string;
  opened: string;
  warning: string | null;
  onChange: (value: string) => void;
}

/** The three values of the API, each with its effect in directories. “Not set” is offered only while no other value is stored. */
function Explicit({ value, opened, warning, onChange }: ExplicitProps) {
  const options = opened === '' || value === '' ? (['', ...EXPLICIT_VALUES] as const) : EXPLICIT_VALUES;
  return (
    <RadioList
      label={texts.podcast.fields.directory_explicit}
      value={value}
      options={options.map((option) => ({ value: option, ...texts.podcast.explicit[option] }))}
      onChange={onChange}
    >
      {warning === null ? null : <p className={styles.warning}>{warning}</p>}
    </RadioList>
  );
}

/** Suggests a common copyright line while the field is empty; never replaces a value. */
function CopyrightSuggestion({ draft, onEdit }: Pick<PodcastFieldsProps, 'draft' | 'onEdit'>) {
  const author = draft.directory_author_name.trim();
  if (draft.copyright.trim() !== '' || author === '') return null;
  const suggestion = `© ${new Date().getFullYear()} ${author}`;
  return (
    <Button variant="link" onPress={() => onEdit({ copyright: suggestion })}>
      {texts.podcast.copyrightSuggestion(suggestion)}
    </Button>
  );
}

interface WithLinkProps {
  address: string;
  field: 'directory_url' | 'feed_proxy_url';
  children: React.ReactNode;
}

/** An address field with buttons that open and copy the address. */
function WithLink({ address, field, children }: WithLinkProps) {
  const link = address.trim();
  const name = texts.podcast.fields[field];
  return (
    <div className={styles.withButton}>
      {children}
      {isHttps(link) ? (
        <span className={styles.linkButtons}>
          <IconButton label={texts.podcast.openLink(name)} onPress={() => void openWebPage(link)}>
            <ExternalLink size={14} />
          </IconButton>
          <IconButton
            label={texts.podcast.copyLink(name)}
            onPress={() => void copyToClipboard(link).then(() => notify(texts.podcast.copied))}
          >
            <Copy size={14} />
          </IconButton>
        </span>
      ) : null}
    </div>
  );
}

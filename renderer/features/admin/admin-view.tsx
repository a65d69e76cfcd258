import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../kit/components/button.tsx';
import { ErrorState, InlineError } from '../../kit/components/status/empty-state.tsx';
import { ViewTabs } from '../common/view-tabs.tsx';
import styles from './admin.module.css';
import { GroupsPane } from './groups/groups-pane.tsx';
import { InterruptedJobs } from './interrupted-jobs.tsx';
import { LogPane } from './log/log-pane.tsx';
import { LostRightsView } from './lost-rights.tsx';
import { PeoplePane } from './people/people-pane.tsx';
import { RolesPane } from './roles/roles-pane.tsx';
import { ADMIN_TABS, type AdminTab, readDirectory, showAdminTab, useAdmin } from './state/admin-store.ts';
import { useLostRights } from './state/lost-rights.ts';
import { TagsPane } from './tags/tags-pane.tsx';
import { texts } from './texts.ts';

const PANES: Readonly<Record<AdminTab, () => ReactNode>> = {
  people: () => <PeoplePane />,
  groups: () => <GroupsPane />,
  roles: () => <RolesPane />,
  tags: () => <TagsPane />,
  log: () => <LogPane />,
};

/** The users, groups, roles and tags of a library, for its administrators. */
export function AdminView() {
  const tab = useAdmin((state) => state.tab);
  const siteId = useAdmin((state) => state.siteId);
  const facts = useAdmin((state) => state.facts);
  const error = useAdmin((state) => state.error);
  const isReading = useAdmin((state) => state.isReading);
  const lost = useLostRights((state) => (state.lost?.siteId === siteId ? state.lost : null));
  const countOf: Record<AdminTab, number | null> = {
    people: facts?.people ?? null,
    groups: facts?.groups ?? null,
    roles: facts?.roles ?? null,
    tags: null,
    log: null,
  };
  const tabs = ADMIN_TABS.map((id) => ({ id, label: texts.tabs[id], count: countOf[id] }));
  if (lost !== null) {
    return (
      <main className={styles.view} aria-label={texts.title}>
        <div className={styles.toolbar}>
          <h1 className={styles.title}>{texts.title}</h1>
        </div>
        <LostRightsView lost={lost} />
      </main>
    );
  }
  return (
    <main className={styles.view} aria-label={texts.title}>
      <div className={styles.toolbar}>
        <h1 className={styles.title}>{texts.title}</h1>
        {error !== null && facts === null ? null : (
          <ViewTabs label={texts.tabs.label} tabs={tabs} selected={tab} onSelect={showAdminTab} />
        )}
        <span className={styles.grow} />
        {facts === null ? null : (
          <IconButton label={texts.readAgain} isBusy={isReading} onPress={() => void readDirectory(true)}>
            <RefreshCw size={15} aria-hidden />
          </IconButton>
        )}
      </div>
      {facts === null || error === null ? null : (
        <div className={styles.problem}>
          <InlineError error={error} onRetry={() => void readDirectory(true)} />
        </div>
      )}
      {facts === null ? null : <InterruptedJobs />}
      {facts !== null ? (
        PANES[tab]()
      ) : error === null ? (
        <p className={styles.quiet}>{texts.reading}</p>
      ) : (
        <ErrorState title={texts.notRead} error={error} onRetry={() => void readDirectory(true)} />
      )}
    </main>
  );
}

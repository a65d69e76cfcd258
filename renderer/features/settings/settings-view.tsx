import {
  AppWindow,
  ArrowUpFromLine,
  CircleArrowUp,
  Contrast,
  Monitor,
  Network,
  Stethoscope,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { type SettingsSection, useApp } from '../common/state/app-store.ts';
import { useLayout } from '../common/state/layout-store.ts';
import { AccountsSection } from './accounts-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { CheckSection } from './check-section.tsx';
import { ComputerSection } from './computer-section.tsx';
import { DesktopSection } from './desktop-section.tsx';
import { NetworkSection } from './network-section.tsx';
import styles from './settings-view.module.css';
import { texts } from './texts.ts';
import { UpdatesSection } from './updates/updates-section.tsx';
import { UploadsSection } from './uploads-section.tsx';

interface Section {
  id: SettingsSection;
  name: string;
  icon: ReactNode;
  contents: () => ReactNode;
}

const ICON = { size: 15, strokeWidth: 1.75, 'aria-hidden': true } as const;

const SECTIONS: readonly Section[] = [
  {
    id: 'uploads',
    name: texts.sections.uploads,
    icon: <ArrowUpFromLine {...ICON} />,
    contents: () => <UploadsSection />,
  },
  { id: 'desktop', name: texts.sections.desktop, icon: <AppWindow {...ICON} />, contents: () => <DesktopSection /> },
  { id: 'check', name: texts.sections.check, icon: <Stethoscope {...ICON} />, contents: () => <CheckSection /> },
  { id: 'accounts', name: texts.sections.accounts, icon: <UserRound {...ICON} />, contents: () => <AccountsSection /> },
  { id: 'network', name: texts.sections.network, icon: <Network {...ICON} />, contents: () => <NetworkSection /> },
  {
    id: 'appearance',
    name: texts.sections.appearance,
    icon: <Contrast {...ICON} />,
    contents: () => <AppearanceSection />,
  },
  {
    id: 'updates',
    name: texts.sections.updates,
    icon: <CircleArrowUp {...ICON} />,
    contents: () => <UpdatesSection />,
  },
  { id: 'computer', name: texts.sections.computer, icon: <Monitor {...ICON} />, contents: () => <ComputerSection /> },
];

/** The width below which the style sheet puts the sections above their contents: the arrow keys follow that layout. */
const NARROW = 640;

/** The settings by section. A change is active immediately; there is no save button. */
export function SettingsView() {
  const section = useApp((state) => state.section);
  const isNarrow = useLayout((state) => state.panes.viewWidth <= NARROW);
  return (
    <main className={styles.view} aria-label={texts.title}>
      <Tabs
        className={styles.tabs ?? ''}
        orientation={isNarrow ? 'horizontal' : 'vertical'}
        selectedKey={section}
        onSelectionChange={(key) => useApp.setState({ section: key as SettingsSection })}
      >
        <div className={styles.side}>
          <h1 className={styles.title}>{texts.title}</h1>
          <TabList className={styles.list ?? ''} aria-label={texts.title}>
            {SECTIONS.map(({ id, name, icon }) => (
              <Tab key={id} id={id} className={styles.tab ?? ''}>
                {icon}
                {name}
              </Tab>
            ))}
          </TabList>
        </div>
        {SECTIONS.map(({ id, name, contents }) => (
          <TabPanel key={id} id={id} className={styles.panel ?? ''}>
            <div className={styles.column}>
              <h2 className={styles.sectionTitle}>{name}</h2>
              {contents()}
            </div>
          </TabPanel>
        ))}
      </Tabs>
    </main>
  );
}

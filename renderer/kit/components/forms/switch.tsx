import { Switch as AriaSwitch } from 'react-aria-components';
import styles from './choice.module.css';
import { texts } from './texts.ts';

interface SwitchProps {
  label: string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}

/** Switches a setting on or off immediately. Its visible label is beside it; `label` is for screen readers. */
export function Switch({ label, isSelected, onChange }: SwitchProps) {
  return (
    <AriaSwitch className={styles.switch ?? ''} isSelected={isSelected} onChange={onChange} aria-label={label}>
      <span className={styles.track}>
        <span className={styles.knob} />
      </span>
      <span className={styles.onOff} aria-hidden>
        {isSelected ? texts.on : texts.off}
      </span>
    </AriaSwitch>
  );
}

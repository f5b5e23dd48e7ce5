/** What the primary reads once and hands on to all workers, now and whenever it changes. */
import type { KeyTable } from '../../../proxy/keys/key-map.ts';
import type { Rollout } from '../../rollout/rules.ts';

export class HandedOn {
  keys: KeyTable | undefined;
  /** Is told of what has changed. */
  changed: (what: { readonly keys: KeyTable } | { readonly rollout: Rollout }) => void = () => undefined;

  readonly onTable = (keys: KeyTable): void => {
    this.keys = keys;
    this.changed({ keys });
  };

  readonly onChange = (rollout: Rollout): void => this.changed({ rollout });
}

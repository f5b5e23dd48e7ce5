import type { Clock } from '../clock/clock.ts';
import type { NewKey } from '../store/keys.ts';
import type { Store } from '../store/store.ts';

/** The workspace that a sandbox starts with, and the values of its keys. */
export interface Demo {
  readonly workspaceId: string;
  readonly readWriteKey: string;
  readonly readOnlyKey: string;
  readonly expiredKey: string;
  readonly deletedKey: string;
}

/** Makes the demo workspace with a key in every state, and a second workspace whose data it must not see. */
export function seedDemo(store: Store, clock: Clock): Demo {
  const workspace = store.createWorkspace('Demo', 'Enterprise');
  store.createWorkspace('Neighbour', 'Free');
  const keyValue = (key: NewKey): string => store.keys.create(workspace, key).value;
  const deleted = store.keys.create(workspace, { name: 'Demo, deleted', access: 'read-write' });
  store.keys.delete(deleted.key);
  return {
    workspaceId: workspace.id,
    readWriteKey: keyValue({ name: 'Demo, read & write', access: 'read-write' }),
    readOnlyKey: keyValue({ name: 'Demo, read only', access: 'read' }),
    expiredKey: keyValue({ name: 'Demo, expired', access: 'read-write', expiresAt: clock.now() - 1 }),
    deletedKey: deleted.value,
  };
}

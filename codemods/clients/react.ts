/** React's hooks: https://react.dev/reference/react/hooks. A client that is made in one, or goes through one, is the same client. */
import type { ClientRule, LibraryFunction } from '../evaluate/client-rule.ts';
import { unknown } from '../evaluate/values.ts';
import { first, keptAs, returned } from './pass-through.ts';

/** A state that starts with a value, or with what a function returns. */
const state: LibraryFunction = (ev, args, node, at) => {
  const start = returned(ev, args, node, at) ?? args[0] ?? unknown(node, at.module);
  return { type: 'list', items: [start, unknown(node, at.module)], nodes: [], isOpen: false, module: at.module };
};

export const reactLibrary: ClientRule = {
  name: 'react',
  functions: {
    'react:useMemo': returned,
    'react:useCallback': first,
    'react:cache': first,
    'react:useRef': keptAs('current', first),
    'react:useState': state,
  },
  carriers: ['createContext'],
  dependencyLists: /^use\w*(?:Effect|Memo|Callback|Handle)$/,
};

/** Effects as redux-saga describes them, as far as the sagas under test use them. */
const functionOf = (target) => {
  if (typeof target === 'function') return { context: null, fn: target };
  const [context, fn] = Array.isArray(target) ? target : [target.context, target.fn];
  return { context, fn: typeof fn === 'string' ? context[fn] : fn };
};

export const call = (target, ...args) => ({ type: 'CALL', payload: { ...functionOf(target), args } });
export const apply = (context, fn, args = []) => ({ type: 'CALL', payload: { context, fn, args } });
export const retry = (_times, _delay, fn, ...args) => call(fn, ...args);
export const put = (action) => ({ type: 'PUT', payload: { action } });
export const select = (selector, ...args) => ({ type: 'SELECT', payload: { selector, args } });
export const fork = (fn, ...args) => ({ type: 'FORK', payload: { context: null, fn, args } });
export const all = (effects) => ({ type: 'ALL', payload: effects });
export const takeEvery = (pattern, worker) => ({ type: 'TAKE', payload: { pattern, worker } });
export const takeLatest = takeEvery;

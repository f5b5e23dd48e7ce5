import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'redux-saga/effects'
      ? next(new URL('./doubles/redux-saga-effects.js', import.meta.url).href, context)
      : next(specifier, context),
});

/** Runs a saga to its end. @returns the actions that it put */
export async function run(saga, action, state = {}) {
  const actions = [];
  const iterator = saga(action);
  let step = iterator.next();
  while (!step.done) {
    const { type, payload } = step.value;
    let result;
    if (type === 'CALL') result = await payload.fn.apply(payload.context, payload.args);
    if (type === 'SELECT') result = payload.selector(state, ...payload.args);
    if (type === 'PUT') actions.push(payload.action);
    step = iterator.next(result);
  }
  return actions;
}

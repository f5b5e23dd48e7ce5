import { applyMiddleware, legacy_createStore as createStore } from 'redux';
import createSagaMiddleware from 'redux-saga';
import rootSaga from '../sagas';
import { types } from './types';

const reducer = (state = { contacts: [], session: { apiKey: '' } }, action) => {
  switch (action.type) {
    case types.CONTACTS_LOADED:
      return { ...state, contacts: action.payload };
    default:
      return state;
  }
};

const sagaMiddleware = createSagaMiddleware();
export const store = createStore(reducer, applyMiddleware(sagaMiddleware));
sagaMiddleware.run(rootSaga);

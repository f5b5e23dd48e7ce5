import { all, fork } from 'redux-saga/effects';
import campaigns from './campaigns';
import contacts from './contacts';
import messages from './messages';

export default function* rootSaga() {
  yield all([fork(contacts), fork(campaigns), fork(messages)]);
}

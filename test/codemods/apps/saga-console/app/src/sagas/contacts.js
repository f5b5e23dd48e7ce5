import { call, put, takeEvery, takeLatest } from 'redux-saga/effects';
import { contacts } from '../api';
import { types } from '../store/types';

export function* loadContacts({ payload = {} }) {
  try {
    const { data } = yield call(contacts.fetchContacts, { page: payload.page || 1, limit: 50 });
    yield put({ type: types.CONTACTS_LOADED, payload: data });
  } catch (error) {
    yield put({ type: types.FAILED, error: error.message });
  }
}

export function* saveContact({ payload: { id, ...contact } }) {
  const saved = id ? yield call(contacts.updateContact, id, contact) : yield call(contacts.createContact, contact);
  yield put({ type: types.CONTACT_SAVED, payload: saved });
}

export default function* contactsSaga() {
  yield takeLatest(types.LOAD_CONTACTS, loadContacts);
  yield takeEvery(types.SAVE_CONTACT, saveContact);
}

import axios from 'axios';
import { apply, call, put, retry, select, takeEvery } from 'redux-saga/effects';
import { fetchInvoices } from '../api/billing';
import { types } from '../store/types';

const API = 'https://api.example.com';

export const selectKey = (state) => state.session.apiKey;

export function* sendMessage({ payload: { to, content } }) {
  const key = yield select(selectKey);
  const { data } = yield call(
    axios.post,
    `${API}/v1/messages/send`,
    { channel: 'SMS', to, content },
    { headers: { 'x-api-key': key } },
  );
  yield put({ type: types.MESSAGE_SENT, payload: data });
}

export function* loadMessage({ payload: id }) {
  const key = yield select(selectKey);
  const response = yield call(fetch, `${API}/v1/messages/${id}`, { headers: { 'x-api-key': key } });
  const message = yield call([response, 'json']);
  yield put({ type: types.MESSAGE_LOADED, payload: message });
}

export function* loadMessages() {
  const key = yield select(selectKey);
  const { data } = yield retry(3, 1000, axios.get, `${API}/v1/messages`, { headers: { 'x-api-key': key } });
  yield put({ type: types.MESSAGES_LOADED, payload: data });
}

export function* createContactFromMessage({ payload }) {
  const key = yield select(selectKey);
  const { data } = yield apply(axios, axios.post, [`${API}/v1/contacts`, payload, { headers: { 'x-api-key': key } }]);
  yield put({ type: types.CONTACT_SAVED, payload: data });
}

export function* loadInvoices() {
  const { data } = yield call(fetchInvoices);
  yield put({ type: types.INVOICES_LOADED, payload: data });
}

export default function* messagesSaga() {
  yield takeEvery(types.SEND_MESSAGE, sendMessage);
  yield takeEvery(types.LOAD_MESSAGE, loadMessage);
  yield takeEvery(types.LOAD_MESSAGES, loadMessages);
  yield takeEvery(types.CONTACT_FROM_MESSAGE, createContactFromMessage);
  yield takeEvery(types.LOAD_INVOICES, loadInvoices);
}

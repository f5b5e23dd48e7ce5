import { call, put, takeEvery } from 'redux-saga/effects';
import { campaigns, client } from '../api';
import { types } from '../store/types';

export function* sendCampaign({ payload: id }) {
  yield call([campaigns, 'send'], id);
  const campaign = yield call([campaigns, campaigns.get], id);
  const { data: messages } = yield call(client.get, '/messages', { params: { campaign: id } });
  yield put({ type: types.CAMPAIGN_SENT, payload: { ...campaign, messages } });
}

export function* createCampaign({ payload }) {
  const campaign = yield call({ context: campaigns, fn: campaigns.create }, payload);
  yield put({ type: types.CAMPAIGN_CREATED, payload: campaign });
}

export default function* campaignsSaga() {
  yield takeEvery(types.SEND_CAMPAIGN, sendCampaign);
  yield takeEvery(types.CREATE_CAMPAIGN, createCampaign);
}

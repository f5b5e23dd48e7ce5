import axios from 'axios';

/** Our own backend; `/v1` is its version. */
const billing = axios.create({ baseURL: process.env.REACT_APP_BILLING_URL || 'https://billing.campaign-console.app' });

export const fetchInvoices = () => billing.get('/v1/invoices', { headers: { 'x-api-key': localStorage.getItem('billing-key') } });

import { createRouter, createWebHistory } from 'vue-router';
import ContactList from './components/ContactList.vue';

export const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: '/', redirect: '/v1/contacts' },
    { path: '/v1/contacts', component: ContactList },
    { path: '/v1/contacts/:id', component: () => import('./components/ContactList.vue') },
  ],
});

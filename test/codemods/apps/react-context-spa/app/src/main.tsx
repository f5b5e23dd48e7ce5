import { createRoot } from 'react-dom/client';
import { BrowserRouter, Route, Routes } from 'react-router-dom';
import { createApi } from './api/client';
import { ApiProvider } from './api/context';
import { Campaign } from './pages/Campaign';
import { Contacts } from './pages/Contacts';
import { Map } from './pages/Map';

const api = createApi({ baseUrl: 'https://api.example.com', apiKey: import.meta.env.VITE_API_KEY });

createRoot(document.getElementById('root')!).render(
  <ApiProvider api={api}>
    <BrowserRouter>
      <Routes>
        <Route path="/v1/contacts" element={<Contacts />} />
        <Route path="/campaign" element={<Campaign id="c1" />} />
        <Route path="/map" element={<Map />} />
      </Routes>
    </BrowserRouter>
  </ApiProvider>,
);

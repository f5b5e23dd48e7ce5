import { useEffect } from 'react';
import { useMaps } from '../maps/context';

export function Map() {
  const maps = useMaps();
  useEffect(() => {
    void maps('/contacts');
  }, [maps]);
  return <div id="map" />;
}

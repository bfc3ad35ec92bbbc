import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/app.css';

const place = document.getElementById('console');
if (place !== null) createRoot(place).render(<StrictMode>{'…'}</StrictMode>);

import { mount } from 'svelte'
import './app.css'
import Gallery from './app/Gallery.svelte'

if (new URLSearchParams(location.search).get('theme') === 'dark')
  document.documentElement.dataset['theme'] = 'dark'
mount(Gallery, { target: document.getElementById('app')! })

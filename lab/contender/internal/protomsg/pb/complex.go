//go:build ignore

package pb

func ZZToComplex(m *Complex, v *complex128) error {
	m.Real, m.Imag = real(*v), imag(*v)
	return nil
}

func ZZFromComplex(v *complex128, m *Complex) error {
	*v = complex(m.GetReal(), m.GetImag())
	return nil
}

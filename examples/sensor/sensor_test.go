package sensor

import (
	"testing"

	"github.com/zmylab/zmy/examples/internal/sampletest"
)

func TestSample(t *testing.T) {
	sampletest.Check(t, 300, sampletest.Exact, SampleSensorData)
}

func TestReadingsAreInRange(t *testing.T) {
	r := sampletest.Rand(3)
	asleep, n := 0, 2000
	for range n {
		d := SampleSensorData(r)
		if d.Temperature < -10 || d.Temperature > 50 || d.Humidity < 0 || d.Humidity > 100 ||
			d.Pressure < 90000 || d.Pressure > 110000 || d.RSSI > -30 || d.Battery < 2700 {
			t.Fatalf("%+v", d)
		}
		switch len(d.Vibration) {
		case 0:
			asleep++
		case 16:
		default:
			t.Fatalf("a burst of %d samples", len(d.Vibration))
		}
	}
	if share := float64(asleep) / float64(n); share < 0.2 || share > 0.3 {
		t.Errorf("%.0f%% of the readings have no burst, want a quarter", 100*share)
	}
}
